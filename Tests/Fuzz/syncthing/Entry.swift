import SyncthingProperties

/// Called by libFuzzer with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    if let violation = SyncthingProperties.violation(for: Array(UnsafeBufferPointer(start: start, count: count))) {
        fatalError(violation)  // because a trap is a finding for libFuzzer
    }
    return 0
}
