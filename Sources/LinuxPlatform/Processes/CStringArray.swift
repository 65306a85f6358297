import Glibc

/// A C array of C strings with a null at its end, for the calls that start programs.
public struct CStringArray: ~Copyable {
    /// Valid as long as the value lives.
    public let pointers: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
    private let count: Int

    /// Copies the strings. A string with a null inside ends there, as in C.
    public init(_ strings: [String]) {
        count = strings.count
        pointers = .allocate(capacity: strings.count + 1)
        for (index, string) in strings.enumerated() { pointers[index] = strdup(string) }
        pointers[strings.count] = nil
    }

    deinit {
        for index in 0..<count { free(pointers[index]) }
        pointers.deallocate()
    }
}
