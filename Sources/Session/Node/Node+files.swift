package import LinuxPlatform
package import SessionRules

/// File work for programs.
extension Node {
    /// One of the loops for files.
    package func fileLoop() throws(SystemError) -> EventLoop { try context.bulkLoops.next().loop }

    /// Changes the limits of speed, also of running transfers.
    package func limitSpeed(sending: SpeedLimit, receiving: SpeedLimit) {
        context.bulkLoops.speed.sending.change(to: sending)
        context.bulkLoops.speed.receiving.change(to: receiving)
    }
}
