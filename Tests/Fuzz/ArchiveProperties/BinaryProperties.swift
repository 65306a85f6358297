public import SecureArchive

/// The properties of any bytes that are read as a binary property list.
public enum BinaryProperties {
    /// The violated property; nil if all hold.
    public static func violation(for input: [UInt8]) -> String? {
        let value: ArchiveValue
        do throws(ArchiveError) {
            value = try BinaryPropertyList.read(input, limits: .small)
        } catch {
            return error.isFitToPrint ? nil : "an error has something unprintable: \(error)"
        }
        do throws(ArchiveError) {
            let written = try BinaryPropertyList.write(value)
            let again = try BinaryPropertyList.read(written)
            guard again == value else { return "a value does not come back" }
            guard try BinaryPropertyList.write(again) == written else {
                return "a list is written differently the second time"
            }
            let isHeld = TightLimits(for: input).areHeld { limits throws(ArchiveError) in
                try BinaryPropertyList.read(input, limits: limits) == value
            }
            return isHeld ? nil : "tight limits change what is read"
        } catch {
            return "what was read can't be written and read again: \(error)"
        }
    }
}

extension ArchiveLimits {
    /// Limits that keep a small input of the fuzzer from expanding for long.
    public static var small: ArchiveLimits {
        var limits = ArchiveLimits()
        limits.values = 20_000
        limits.expandedBytes = 1 << 20
        return limits
    }
}
