// expect: safe
// reason: The factorial of 12 is the largest one that an int holds.
// options: --property no-overflow
// size: small
// optimised: same
static int factorial(int number) {
    int product = 1;
    for (int factor = 2; factor <= number; factor++)
        product *= factor;
    return product;
}

int main(void) {
    return factorial(12) % 7;
}
