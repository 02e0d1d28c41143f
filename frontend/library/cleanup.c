/* Clean-up handlers. The macros pthread_cleanup_push and pthread_cleanup_pop call these two, and the handler itself where it is popped. They
   are used where no call ends a thread; elsewhere the checker keeps itself which handlers are pushed. */
void __pthread_register_cancel(void *buffer)
{
    (void)buffer;
}

void __pthread_unregister_cancel(void *buffer)
{
    (void)buffer;
}
