// The bytes of the page, as vecusim_report_page … vecusim_report_page_end.
        .section .rodata
        .globl  vecusim_report_page
        .globl  vecusim_report_page_end
        .hidden vecusim_report_page
        .hidden vecusim_report_page_end
vecusim_report_page:
        .incbin PAGE
vecusim_report_page_end:
        .byte   0
        .section .note.GNU-stack, "", %progbits
