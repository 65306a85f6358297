import LinuxPlatform

extension SaveFolder {
    /// The sets, by the ids that their notes are called, whose folders a crash has left half of one version and half of another, until whoever keeps them
    /// begins anew. Changes nothing.
    /// - Parameter places: a folder with one for what is remembered of each set's place
    public static func halfChanged(in places: String) -> Set<String> {
        guard let entries = try? Folder(at: places).entries(limit: 100_000) else { return [] }
        let halves = entries.map { $0.printable }.filter { name in
            let notes = "\(places)/\(name)"
            guard let folder = try? Folder(at: notes),
                let journal = try? ApplyJournal(leftIn: folder, path: notes, failing: { _ in nil })
            else { return false }
            // Where the whole folder is exchanged it is one or the other at any moment.
            return journal.plan.way == .steps && journal.mark == .changing
        }
        return Set(halves)
    }
}
