package import LinuxPlatform
package import SessionRules

extension Node {
    package func fileLoop() throws(SystemError) -> EventLoop { try context.bulkLoops.next().loop }

    /// Changes the limits of speed, also of running transfers.
    package func limitSpeed(sending: SpeedLimit, receiving: SpeedLimit) {
        context.bulkLoops.speed.sending.change(to: sending)
        context.bulkLoops.speed.receiving.change(to: receiving)
    }
}
