package import Digests
package import LinuxPlatform

/// The part of the household that a shared folder needs: its versions, and the blocks of their files.
@Engine
package protocol HouseholdPort: AnyObject, Sendable {
    /// True if the household may have a file of this name. Other files stay on the device, and none is deleted there.
    func mayHave(_ name: String) -> Bool
    /// Stores the state of the folder. No change is announced before that. Otherwise, after a crash, the household
    /// would use the numbers of announced changes for others.
    func remember(_ memory: FolderMemory) async throws
    /// True if this block's bytes are in the household's history or among the fetched ones.
    func has(_ digest: SHA256Digest) async -> Bool
    /// Keeps a fetched block until ``store(_:)`` or ``discardFetched()``.
    func keep(_ bytes: [UInt8], _ digest: SHA256Digest) async throws
    /// The bytes of a block; nil if they are not here.
    func bytes(of digest: SHA256Digest) async throws -> [UInt8]?
    /// Stores the device's version, whose blocks are all here, in the household's history.
    func store(_ incoming: BridgedFolder.Incoming) async throws -> BridgedFolder.Version
    /// Forgets fetched blocks of a version that is not stored.
    func discardFetched()
    /// Reports the newest version or the conflict to the folder, through
    /// ``SharedFolder/household(is:_:includesStored:)`` or ``SharedFolder/set(_:_:)``. Called after ``store(_:)``.
    func tellNewest(to folder: SharedFolder)
    /// Notes that everything vanished on one side.
    func noteEmptied()
    /// Notes that a version could not be fetched or stored.
    func noteFailure(_ error: any Error)
}
