import Vocabulary

/// A game by its `appmanifest_ID.acf`.
struct SteamApp: Sendable, Hashable {
    let id: UInt32
    let name: String?
    /// Its folder in `steamapps/common`.
    let folder: FileName?

    init(id: UInt32, name: String?, folder: FileName?) {
        (self.id, self.name, self.folder) = (id, name, folder)
    }

    init?(_ file: KeyValues) {
        guard let state = file["AppState"], let id = state.text("appid").flatMap({ UInt32($0) }), id != 0 else {
            return nil
        }
        self.init(id: id, name: state.text("name"), folder: state.text("installdir").flatMap { try? FileName($0) })
    }
}
