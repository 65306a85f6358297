import Foundation
import LinuxPlatform
import Vocabulary

/// The folder where one player's things are kept. What goes wrong there is said so that a person knows what to do.
struct GameFolder {
    let path: String

    /// No file of the game comes near this.
    private static let sizeLimit = 64 << 10

    /// Takes the folder for this program alone: to everybody else, two programs with it would be one and the same player.
    ///
    /// - Returns: what is to be held until the program ends
    func taken() throws -> LockedFile {
        let lock: LockedFile?
        do throws(SystemError) {
            lock = try opened().openOrCreate(Self.name("in-use")).lockedForWriting()
        } catch {
            throw Trouble(error, with: quoted)
        }
        guard let lock else {
            throw Trouble("somebody plays with \(quoted) already", "end that game, or choose another with --folder")
        }
        return lock
    }

    /// All that is in a file; nil where there is none.
    func read(_ name: FileName) throws(Trouble) -> [UInt8]? {
        do throws(SystemError) {
            return try AtomicFile(name).read(in: Folder(at: path), limit: Self.sizeLimit)
        } catch {
            if error.number == ENOENT { return nil }
            throw Trouble(error, with: "“\(PrintableText(name.text, limit: 40))”")
        }
    }

    /// Answers false where something has that name and is to stay.
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

    /// A file for what goes wrong while the screen is the game's. It begins anew each time.
    func log() throws(Trouble) -> OwnedDescriptor {
        let name = Self.name("errors.log")
        do throws(SystemError) {
            let folder = try opened()
            // Where it can't be removed, it can't be made either, and that says why.
            try? folder.remove(name)
            return try folder.create(name)
        } catch {
            throw Trouble(error, with: "“\(name)”")
        }
    }

    /// The names of the files.
    var fileNames: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] }

    /// A name that stands in the source.
    static func name(_ text: StaticString) -> FileName {
        guard let name = try? FileName("\(text)") else { preconditionFailure("“\(text)” is no file's name") }
        return name
    }

    private var quoted: String { "the folder “\(PrintableText(path, limit: 80))”" }

    private func opened() throws(SystemError) -> Folder {
        // Whether it is there afterwards is what counts, and opening tells.
        try? FileManager.default.createDirectory(
            atPath: path,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: FileMode.privateFolder.rawValue]
        )
        return try Folder(at: path)
    }
}

extension GameFolder {
    /// What could not be read or written, why, and what to do about it.
    struct Trouble: Error, CustomStringConvertible {
        let description: String

        init(_ what: String, _ nextStep: String) {
            description = "\(what): \(nextStep)"
        }

        init(_ error: SystemError, with thing: String) {
            switch error.number {
            case EINVAL, EISDIR, ENXIO: self.init("\(thing) is no file", "choose another name")
            case ENOTDIR: self.init("\(thing) is no folder", "choose another with --folder")
            case ELOOP: self.init("\(thing) is a link, and links are not followed", "put the file itself there")
            case EFBIG: self.init("\(thing) is too large to be one of the game's", "choose another name")
            case EBUSY: self.init("somebody is writing \(thing)", "try again")
            default:
                let trouble = DiskTrouble(error)
                self.init(trouble.message(about: thing), trouble.nextStep)
            }
        }
    }
}
