import CLinux
import Glibc
import LinuxPlatform
import TestSupport

/// A disk of 2 MiB at the home, mounted for one thread only.
func withSmallHome<Value: Sendable>(_ body: @escaping @Sendable (SetFixture) throws -> Value) async throws
    -> Value
{
    try await runBlocking("small disk") {
        let machine = try SetFixture()
        try retrying("unshare") { huddle_leave_shared_mounts() }
        try retrying("mount") { mount("none", "/", nil, UInt(MS_REC | MS_PRIVATE), nil) }
        try mountHome(of: machine)
        defer { umount2(machine.home, CInt(MNT_DETACH)) }
        return try body(machine)
    }
}

func canMount() async -> Bool { (try? await withSmallHome { _ in true }) ?? false }

/// Mounts another such disk there, with an empty folder for the set. The first one stays mounted beneath it.
func mountHome(of machine: SetFixture) throws {
    try retrying("mount") { mount("tmpfs", machine.home, "tmpfs", 0, "size=2m") }
    try machine.makeFolder("home/save")
}
