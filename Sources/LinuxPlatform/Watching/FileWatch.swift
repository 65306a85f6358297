public import Vocabulary

/// Reports when one of several files of a folder was touched or closed by a program that had it open for writing,
/// without polling. Made for one reader.
///
/// The kernel's queue only wakes the reader, which then checks the files. So nothing piles up while the reader is busy,
/// and nothing is missed if the queue overflows. The files need not exist yet.
public final class FileWatch: Sendable {
    private let queue: Inotify
    private let names: Set<FileName>

    /// Creates a watch that reports every event from now on.
    ///
    /// - Parameters:
    ///   - names: the files
    ///   - folder: the path of the folder they are in
    public init(of names: Set<FileName>, in folder: String, on loop: EventLoop) throws(SystemError) {
        queue = try Inotify(on: loop)
        self.names = names
        // Not each write: it comes before the writer's change is complete, and a large change is thousands of writes.
        _ = try queue.add(folder, for: [.attributes, .closedAfterWriting, .movedIn], .onlyFolders)
    }

    /// Suspends until one of the files was touched, written and closed, or replaced since the last call.
    public nonisolated(nonsending) func changed() async throws {
        while try !hasChanged() {
            try await queue.wait()
        }
    }

    private func hasChanged() throws(SystemError) -> Bool {
        try queue.takeAll().contains { event in
            // The folder has gone, or events were lost: the reader must check in both cases.
            if !event.events.isDisjoint(with: [.overflow, .watchEnded]) { return true }
            guard let name = try? FileName(bytes: event.name) else { return false }
            return names.contains(name)
        }
    }
}
