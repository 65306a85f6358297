/// The system's random numbers.
///
/// The system's own generator is a value without a byte, and the thread sanitizer ends the program where one is passed on as
/// something to be changed. This one has a byte.
struct Chance: RandomNumberGenerator {
    private var system = SystemRandomNumberGenerator()
    private var isUsed = false

    mutating func next() -> UInt64 {
        isUsed = true
        return system.next()
    }
}
