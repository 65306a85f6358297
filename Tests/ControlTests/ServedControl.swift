import Control
import ControlServer
import LinuxPlatform
import Session
import Testing

/// A control socket with a server that answers while the body runs.
@Engine
struct ServedControl {
    let path: String
    var watchdog = ResponseWatchdog()
    let handler: ControlServer.Handler

    func during(_ work: (ControlConnection) async throws -> Void) async throws {
        let server = try ControlServer(at: path, handler)
        let running = Task { try await server.run() }
        do {
            try await work(try #require(ControlConnection(to: path, watchdog)))
        } catch {
            Issue.record(error)
        }
        running.cancel()
        _ = await running.result
    }
}
