import SaveRules
import Vocabulary

/// The contents of every piece of a world, so that its machines need to remember only which they have.
struct WorldLibrary {
    private(set) var manifests: [PieceID: Manifest] = [:]

    /// The pieces of a manifest of one file whose contents are these texts.
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
