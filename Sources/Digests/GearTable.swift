/// A random number for each value of a byte: what a rolling hash adds as the byte comes in.
///
/// The numbers are the first 256 of SplitMix64 with seed 0, so that a second implementation needs no list. They belong to the format of
/// manifests: with others the same file would be cut elsewhere.
enum GearTable {
    // because it is filled once, before anybody sees it, and never freed: the hot loop reads it without a check
    nonisolated(unsafe) static let numbers: UnsafePointer<UInt64> = {
        let room = UnsafeMutablePointer<UInt64>.allocate(capacity: 256)
        var state: UInt64 = 0
        for value in 0..<256 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            room[value] = mixed ^ (mixed >> 31)
        }
        return UnsafePointer(room)
    }()
}
