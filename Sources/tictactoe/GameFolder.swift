import Foundation
import LinuxPlatform
import Vocabulary

/// The folder of one player's files. Its errors have the next step.
struct GameFolder {
    let path: String

    /// Size limit of a file; the game's files are far smaller.
    private static let sizeLimit = 64 << 10

    /// Locks the folder for this program. Two programs with the same folder would look like one player to other peers.
    ///
    /// - Returns: the lock to hold until the program ends
    func taken() throws -> LockedFile {
        let lock: LockedFile?
        do throws(SystemError) {
            lock = try opened().openOrCreate(Self.name("in-use")).lockedForWriting()
        } catch {
            throw Trouble(error, with: quoted)
        }
        guard let lock else {
            throw Trouble(
                "another program plays with \(quoted) already",
                "end that game, or choose another with --folder"
            )
        }
        return lock
    }

    /// The content of a file; nil if there is no file.
    func read(_ name: FileName) throws(Trouble) -> [UInt8]? {
        do throws(SystemError) {
            return try AtomicFile(name).read(in: Folder(at: path), limit: Self.sizeLimit)
        } catch {
            if error.number == ENOENT { return nil }
            throw Trouble(error, with: "“\(PrintableText(name.text, limit: 40))”")
        }
    }

    /// Returns false if the name is taken and must not be replaced.
    func write(
        _ bytes: [UInt8],
        to name: FileName,
        overwriting: Folder.Overwriting = .allowed
    ) throws(Trouble) -> Bool {
        do throws(SystemError) {
            try AtomicFile(name).write(bytes, in: opened(), overwriting: overwriting)
            return true
        } catch {
            if overwriting == .forbidden, error.isTakenName { return false }
            throw Trouble(error, with: "“\(PrintableText(name.text, limit: 40))”")
        }
    }

    /// A file for error output while the game uses the screen. Each start empties it.
    func log() throws(Trouble) -> OwnedDescriptor {
        let name = Self.name("errors.log")
        do throws(SystemError) {
            let folder = try opened()
            // If it can't be removed, it can't be created either, and that error has the reason.
            try? folder.remove(name)
            return try folder.create(name)
        } catch {
            throw Trouble(error, with: "“\(name)”")
        }
    }

    var fileNames: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] }

    /// A name that is constant in the source.
    static func name(_ text: StaticString) -> FileName {
        guard let name = try? FileName("\(text)") else { preconditionFailure("“\(text)” is not a file name") }
        return name
    }

    private var quoted: String { "the folder “\(PrintableText(path, limit: 80))”" }

    private func opened() throws(SystemError) -> Folder {
        // A failure shows when the folder is opened.
        try? FileManager.default.createDirectory(
            atPath: path,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: FileMode.privateFolder.rawValue]
        )
        return try Folder(at: path)
    }
}

extension GameFolder {
    /// An error of reading or writing: what failed, and the next step.
    struct Trouble: Error, CustomStringConvertible {
        let description: String

        init(_ what: String, _ nextStep: String) {
            description = "\(what): \(nextStep)"
        }

        init(_ error: SystemError, with thing: String) {
            switch error.number {
            case EINVAL, EISDIR, ENXIO: self.init("\(thing) is not a file", "choose another name")
            case ENOTDIR: self.init("\(thing) is not a folder", "choose another with --folder")
            case ELOOP: self.init("\(thing) is a link, and links are not followed", "put the file itself there")
            case EFBIG: self.init("\(thing) is too large to be one of the game's", "choose another name")
            case EBUSY: self.init("another program is writing \(thing)", "try again")
            default:
                let trouble = DiskTrouble(error)
                self.init(trouble.message(about: thing), trouble.nextStep)
            }
        }
    }
}
