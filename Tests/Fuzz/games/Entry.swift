import GameProperties

/// What libFuzzer calls with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    if let violation = GameProperties.violation(for: Array(UnsafeBufferPointer(start: start, count: count))) {
        fatalError(violation)  // because a trap is how a finding is told to libFuzzer
    }
    return 0
}
