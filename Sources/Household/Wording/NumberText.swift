/// A number for the user: its digits in groups of three.
package enum NumberText {
    package static func grouped(_ number: Int) -> String {
        let digits = String(number)
        return digits.enumerated().map { place, digit in
            place > 0 && (digits.count - place) % 3 == 0 ? ",\(digit)" : "\(digit)"
        }.joined()
    }
}
