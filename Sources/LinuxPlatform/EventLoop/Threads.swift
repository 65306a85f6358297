import CLinux
import Glibc

/// The stack size of the project's own threads: enough for their work, instead of the default of 8 MiB.
private let stackSize = 512 * 1024

/// Starts a detached thread. Throws if there are too many, or no memory for one.
package func startThread(named name: String, _ body: @escaping @Sendable () -> Void) throws(SystemError) {
    final class Start: Sendable {
        let name: String
        let body: @Sendable () -> Void
        init(_ name: String, _ body: @escaping @Sendable () -> Void) { (self.name, self.body) = (name, body) }
    }

    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    pthread_attr_setstacksize(&attributes, stackSize)
    pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))
    defer { pthread_attr_destroy(&attributes) }
    var thread = pthread_t()
    // The thread itself releases it: only the thread knows when it has taken it over.
    let start = Unmanaged.passRetained(Start(name, body))
    let failure = pthread_create(
        &thread,
        &attributes,
        { @Sendable argument in
            guard let argument else { return nil }
            let start = Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
            // The kernel keeps 15 bytes of the name.
            huddle_name_this_thread(String(start.name.prefix(15)))
            start.body()
            return nil
        },
        start.toOpaque()
    )
    guard failure == 0 else {
        start.release()
        throw SystemError("pthread_create", failure)
    }
}

/// Runs work that may block for long on a thread of its own, so that neither a loop nor Swift's own few threads wait.
/// The work can't be interrupted: a cancelled caller still waits for it. Callers limit how many run at once. The thread
/// releases what the work holds, such as a locked file, before the caller continues.
public nonisolated(nonsending) func runBlocking<Value: Sendable>(
    _ name: String,
    _ work: @escaping @Sendable () throws -> Value
) async throws -> Value {
    // A simulation has one thread.
    if VirtualTime.current != nil { return try work() }
    let resumption = Resumption<Value>()
    let work = DoneOnce(work)
    try startThread(named: name) { @Sendable in
        resumption.resume(with: work.done())
    }
    return try await resumption.value()
}
