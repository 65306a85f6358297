package import LinuxPlatform

/// The bus of all events. Each reader receives all of them in order, from the moment it follows.
///
/// The bus waits for no reader. A slow one misses events and learns how many; the ledger keeps those that matter.
@Engine
package final class EventBus {
    private struct Following {
        weak var reader: EventReader?
    }

    private var following: [Following] = []
    /// A callback after each event.
    var whenPut: @Engine @Sendable () -> Void = {}

    nonisolated init() {}

    /// Follows from now on, as long as the caller holds the reader.
    package func follow() -> EventReader {
        let reader = EventReader()
        following.append(Following(reader: reader))
        return reader
    }

    /// The number of readers.
    package var readerCount: Int { following.count { $0.reader != nil } }

    func put(_ line: DaemonLine) {
        following.removeAll { $0.reader == nil }
        for one in following { one.reader?.add(line) }
        whenPut()
    }
}
