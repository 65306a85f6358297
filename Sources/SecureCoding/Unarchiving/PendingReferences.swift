internal import Foundation

/// References to objects that were still being read when something asked for them.
///
/// They are settled when the outermost call ends, in three steps: every object is made, then checked, then handed
/// over. Only the last step closes a circle, so an archive that is refused leaves none behind.
struct PendingReferences {
    /// A field of an object whose class receives back references.
    struct Holder {
        let object: any BackReferenceDecoding
        let key: String

        func take(_ value: NSObject) { object.receive(value, decodedForKey: key) }
    }

    struct Reference {
        let holder: Holder
        let id: UInt32
        let list: ClassList
        let spot: Spot
    }

    /// An object to check again, because its content was incomplete.
    struct Check {
        let id: UInt32
        let list: ClassList
        let spot: Spot
    }

    var references: [Reference] = []
    var checks: [Check] = []
}

/// Reports that an object can't be made before another one exists.
struct Unready: Error {
    /// The object that is still being read.
    let id: UInt32
}
