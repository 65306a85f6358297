import SaveRules
import Vocabulary

/// The contents of every piece of a world. The machines only remember the ids of their pieces.
struct WorldLibrary {
    private(set) var manifests: [PieceID: Manifest] = [:]

    /// Adds a file with these texts as its contents, and returns its pieces.
    mutating func shelve(_ texts: [String]) -> (manifest: [PieceReference], contents: [PieceReference]) {
        let file = SavedFile(
            mode: .readableFile,
            modified: FileTime(seconds: 0, nanoseconds: 0),
            pieces: texts.map { Sample.piece($0) }
        )
        guard let manifest = try? Manifest([ManifestEntry(Sample.path("save"), .file(file))]) else {
            preconditionFailure("one file is a manifest")
        }
        let bytes = manifest.encoded
        let piece = PieceReference(PieceID(of: bytes, hashedBy: Sample.hash), length: bytes.count)
        manifests[piece.id] = manifest
        return ([piece], file.pieces)
    }

    func contents(of manifest: [PieceReference]) -> [PieceReference] {
        manifest.flatMap { manifests[$0.id].map { Array($0.pieces) } ?? [] }
    }
}
