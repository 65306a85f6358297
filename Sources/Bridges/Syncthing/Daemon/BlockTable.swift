import Digests
import LinuxPlatform
import SaveRules
import SaveSync
import SyncthingBridge
import Vocabulary

/// The blocks of the newest version's files, as Syncthing cuts them. Huddle cuts files elsewhere, so each block is a
/// part of some pieces.
@Engine final class BlockTable {
    private let games: any BridgedGames
    private var files: [[PieceReference]: [FileBlock]] = [:]
    private var places: [SHA256Digest: Place] = [:]
    /// The piece that was read last: several blocks in a row are parts of one.
    private var lastPiece: (id: PieceID, bytes: [UInt8])?

    private struct Place {
        let pieces: [PieceReference]
        let offset: Int64
        let size: Int
    }

    init(_ games: any BridgedGames) { self.games = games }

    /// The entries of some files of a version. The blocks of other versions are forgotten.
    func entries(of manifest: Manifest, _ names: Set<String>) async throws -> [String: FileEntry] {
        var entries: [String: FileEntry] = [:]
        var used: [[PieceReference]: [FileBlock]] = [:]
        for item in manifest.entries where names.contains(item.path.text) {
            var entry = FileEntry(name: item.path.text)
            switch item.content {
            case .folder(let mode): (entry.kind, entry.permissions) = (.folder, mode.rawValue)
            case .file(let file):
                let size = Int64(file.size)
                (entry.size, entry.permissions, entry.modified) = (size, file.mode.rawValue, file.modified)
                entry.blockSize = FileBlock.size(forFileOf: size)
                entry.blocks = try await blocks(of: file.pieces, entry.blockSize)
                used[file.pieces] = entry.blocks
            case .link: continue
            }
            entries[entry.name] = entry
        }
        (files, places) = (used, [:])
        for (pieces, blocks) in used {
            for block in blocks {
                places[block.digest] = Place(pieces: pieces, offset: block.offset, size: Int(block.size))
            }
        }
        return entries
    }

    private func blocks(of pieces: [PieceReference], _ size: Int32) async throws -> [FileBlock] {
        if let known = files[pieces] { return known }
        var (blocks, rest, offset) = ([FileBlock](), [UInt8](), 0 as Int64)
        func add(_ bytes: ArraySlice<UInt8>) {
            let digest = bytes.withUnsafeBytes { Digest.sha256($0) }
            blocks.append(FileBlock(offset: offset, size: Int32(bytes.count), digest: digest))
            offset += Int64(bytes.count)
        }
        for piece in pieces {
            rest += try await games.bytes(of: piece.id)
            var start = 0
            while rest.count - start >= Int(size) {
                add(rest[start..<start + Int(size)])
                start += Int(size)
            }
            rest.removeFirst(start)
        }
        // An empty file has one block of no bytes.
        if !rest.isEmpty || blocks.isEmpty { add(rest[...]) }
        files[pieces] = blocks
        return blocks
    }

    func has(_ digest: SHA256Digest) -> Bool { places[digest] != nil }

    /// The bytes of a block; nil if the newest version does not have it.
    func bytes(of digest: SHA256Digest) async throws -> [UInt8]? {
        guard let place = places[digest] else { return nil }
        var (bytes, start) = ([UInt8](), 0 as Int64)
        let end = place.offset + Int64(place.size)
        for piece in place.pieces {
            let next = start + Int64(piece.length)
            if next > place.offset, start < end {
                let content = try await self.bytes(of: piece.id)
                let low = Int(max(place.offset - start, 0))
                bytes += content[low..<Int(min(end, next) - start)]
            }
            start = next
        }
        return bytes
    }

    private func bytes(of piece: PieceID) async throws -> [UInt8] {
        if let lastPiece, lastPiece.id == piece { return lastPiece.bytes }
        let bytes = try await games.bytes(of: piece)
        lastPiece = (piece, bytes)
        return bytes
    }

    /// Releases memory while no block is asked for.
    func forgetPiece() { lastPiece = nil }
}
