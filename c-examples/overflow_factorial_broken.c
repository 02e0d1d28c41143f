// expect: unsafe
// reason: The factorial of 13 is larger than the largest int.
// options: --property no-overflow
// size: small
// optimised: same
static int factorial(int number) {
    int product = 1;
    for (int factor = 2; factor <= number; factor++)
        product *= factor; // signed overflow
    return product;
}

int main(void) {
    return factorial(13) % 7;
}
