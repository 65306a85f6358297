/// A random number for each byte value, which a rolling hash adds as the byte enters.
///
/// The numbers are the first 256 of SplitMix64 with seed 0, so that a second implementation needs no list.
/// They are part of the format of manifests: other numbers would cut the same file elsewhere.
enum GearTable {
    // because it is filled once before the first use and never freed: the hot loop reads it without a check
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
