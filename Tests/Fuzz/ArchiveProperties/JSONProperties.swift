import SecureArchive

/// The properties of any bytes that are read as JSON.
public enum JSONProperties {
    /// The violated property; nil if all hold.
    public static func violation(for input: [UInt8]) -> String? {
        do throws(ArchiveError) {
            let value = try JSON.read(input)
            let isHeld = TightLimits(for: input).areHeld { limits throws(ArchiveError) in
                try JSON.read(input, limits: limits) == value
            }
            guard isHeld else { return "tight limits change what is read" }
            return violation(for: value, as: .compact) ?? violation(for: value, as: .pretty)
        } catch {
            return error.isFitToPrint ? nil : "an error has something unprintable: \(error)"
        }
    }

    private static func violation(for value: ArchiveValue, as layout: JSON.Layout) -> String? {
        do throws(ArchiveError) {
            let written = try JSON.write(value, as: layout)
            let again = try JSON.read(written)
            guard again == value else { return "a value does not come back" }
            return try JSON.write(again, as: layout) == written ? nil : "a value is written differently the second time"
        } catch {
            return "what was read can't be written and read again: \(error)"
        }
    }
}
