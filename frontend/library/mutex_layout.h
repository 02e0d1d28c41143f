#ifndef MUTEX_LAYOUT_H
#define MUTEX_LAYOUT_H

/* The layout that the checker and glibc's static initialisers share; it depends on the width of addresses. */
struct mutex {
    int lock;
    unsigned count;
    int owner;
#if __SIZEOF_POINTER__ == 8
    unsigned users;
    int kind;
#else
    int kind;
    unsigned users;
#endif
};

#endif
