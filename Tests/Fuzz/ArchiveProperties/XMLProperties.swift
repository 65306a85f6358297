import SecureArchive

/// The properties of any bytes that are read as XML, of any kind and as a property list.
public enum XMLProperties {
    /// The violated property; nil if all hold.
    public static func violation(for input: [UInt8]) -> String? {
        treeViolation(for: input) ?? listViolation(for: input)
    }

    private static func treeViolation(for input: [UInt8]) -> String? {
        let tree: XMLTree
        do throws(ArchiveError) {
            tree = try XMLTree(reading: input)
        } catch {
            return error.isFitToPrint ? nil : "an error has something unprintable: \(error)"
        }
        do throws(ArchiveError) {
            let written = try tree.write()
            let again = try XMLTree(reading: written)
            guard again == tree else { return "a document does not come back" }
            guard try again.write() == written else { return "a document is written differently the second time" }
            guard try XMLTree(tree.value).write() == written else { return "a document is not what its value says" }
            let isHeld = TightLimits(for: input).areHeld { limits throws(ArchiveError) in
                try XMLTree(reading: input, limits: limits) == tree
            }
            return isHeld ? nil : "tight limits change what is read"
        } catch {
            return "what was read can't be written and read again: \(error)"
        }
    }

    private static func listViolation(for input: [UInt8]) -> String? {
        let value: ArchiveValue
        do throws(ArchiveError) {
            value = try XMLPropertyList.read(input)
        } catch {
            return error.isFitToPrint ? nil : "an error has something unprintable: \(error)"
        }
        do throws(ArchiveError) {
            let written = try XMLPropertyList.write(value)
            let again = try XMLPropertyList.read(written)
            guard again == value else { return "a value does not come back" }
            let isHeld = TightLimits(for: input).areHeld { limits throws(ArchiveError) in
                try XMLPropertyList.read(input, limits: limits) == value
            }
            guard isHeld else { return "tight limits change what is read" }
            return try XMLPropertyList.write(again) == written ? nil : "a list is written differently the second time"
        } catch {
            return "what was read can't be written and read again: \(error)"
        }
    }
}
