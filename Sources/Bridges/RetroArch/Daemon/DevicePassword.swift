/// Passwords that are easy to type on a television: 16 of 32 letters and digits, which are 80 random bits.
enum DevicePassword {
    private static let letters = Array("abcdefghjkmnpqrstuvwxyz023456789")

    static func random() -> String {
        var generator = SystemRandomNumberGenerator()
        return String((0..<16).map { _ in letters[Int(generator.next() & 31)] })
    }
}
