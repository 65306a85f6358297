import SecureArchive

/// Dates as users and programs write them.
enum DateText {
    /// Parses `2026-01-02T03:04:05Z` and similar forms: a space for the `T`, no seconds, fractions of a second,
    /// `+02:00` or ` +0000` for the `Z`, a day alone. Without a zone it is UTC. Nil for all other texts and for dates
    /// that do not exist.
    static func date(_ text: String) -> ArchiveDate? {
        guard text.utf8.count <= 40 else { return nil }
        var rest = Array(text.utf8)[...]
        guard let day = take(&rest, "0000-00-00") else { return nil }
        var (time, fraction, offset) = ("00:00:00", 0.0, 0)
        if !rest.isEmpty {
            guard let separator = rest.popFirst(), [UInt8(ascii: "T"), UInt8(ascii: " ")].contains(separator) else {
                return nil
            }
            guard let clock = take(&rest, "00:00:00") ?? take(&rest, "00:00").map({ $0 + ":00" }) else { return nil }
            time = clock
            guard let found = takeFraction(&rest), let zone = takeZone(&rest), rest.isEmpty else { return nil }
            (fraction, offset) = (found, zone)
        }
        let base = CalendarTime(spelled: "\(day)T\(time)Z".utf8)?.date
        return base.flatMap { ArchiveDate(secondsSince2001: $0.secondsSince2001 + fraction - Double(offset)) }
    }

    /// Returns a date to the minute, for users: `2026-01-02 03:04 UTC`.
    static func shortText(_ date: ArchiveDate) -> String {
        let spelled = CalendarTime(date).spelled
        return "\(spelled.prefix(10)) \(spelled.dropFirst(11).prefix(5)) UTC"
    }

    /// Removes and returns the beginning of a text if it has a certain form, in which 0 is any digit.
    private static func take(_ rest: inout ArraySlice<UInt8>, _ form: String) -> String? {
        let found = rest.prefix(form.utf8.count)
        guard found.count == form.utf8.count, zip(found, form.utf8).allSatisfy({ $1 == 0x30 ? isDigit($0) : $0 == $1 })
        else {
            return nil
        }
        rest = rest.dropFirst(found.count)
        return String(decoding: found, as: UTF8.self)
    }

    private static func takeFraction(_ rest: inout ArraySlice<UInt8>) -> Double? {
        guard rest.first == UInt8(ascii: ".") || rest.first == UInt8(ascii: ",") else { return 0 }
        let digits = rest.dropFirst().prefix(while: isDigit)
        rest = rest.dropFirst(digits.count + 1)
        return digits.isEmpty ? nil : Double("0." + String(decoding: digits, as: UTF8.self))
    }

    /// Removes a zone and returns it in seconds east of Greenwich.
    private static func takeZone(_ rest: inout ArraySlice<UInt8>) -> Int? {
        if rest.first == UInt8(ascii: " ") { rest = rest.dropFirst() }
        if rest.isEmpty { return 0 }
        if rest.first == UInt8(ascii: "Z") {
            rest = rest.dropFirst()
            return 0
        }
        let isWest = rest.first == UInt8(ascii: "-")
        guard isWest || rest.first == UInt8(ascii: "+") else { return nil }
        rest = rest.dropFirst()
        guard let text = take(&rest, "00:00") ?? take(&rest, "0000") ?? take(&rest, "00"),
            let hours = Int(text.prefix(2)), let minutes = text.count > 2 ? Int(text.suffix(2)) : 0, hours < 24,
            minutes < 60
        else { return nil }
        return (isWest ? -1 : 1) * (hours * 3600 + minutes * 60)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
