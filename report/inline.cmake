# Puts style and scripts into the page: `cmake -D SOURCE=… -D CHARTS=… -D PAGE=… -P inline.cmake`.
cmake_minimum_required(VERSION 3.25)
file(READ ${SOURCE}/page.html page)

function(inline place)
  set(text "")
  foreach(file ${ARGN})
    file(READ ${file} content)
    if(content MATCHES "</(script|style)")
      message(FATAL_ERROR "${file} would end its element")
    endif()
    string(APPEND text "${content}\n")
  endforeach()
  string(REPLACE "${place}" "${text}" page "${page}")
  set(page "${page}" PARENT_SCOPE)
endfunction()

inline("@STYLE@" ${SOURCE}/report.css)
inline("@CHARTS@" ${CHARTS})
inline("@SCRIPT@" ${SOURCE}/words.js ${SOURCE}/table.js ${SOURCE}/palette.js ${SOURCE}/plots.js ${SOURCE}/timeline.js
  ${SOURCE}/report.js)
file(WRITE ${PAGE} "${page}")
