/// The files of a Wine prefix.
public enum WineTree {
    /// Makes a prefix, and returns the folder of its user.
    @discardableResult
    public static func make(in tree: GameTree, at folder: String, user: String = "deck") -> String {
        let home = "\(folder)/drive_c/users/\(user)"
        for name in ["Documents", "AppData/Roaming", "AppData/Local", "AppData/LocalLow", "Saved Games"] {
            tree.makeFolder("\(home)/\(name)")
        }
        tree.makeFolder("\(folder)/drive_c/users/Public")
        tree.makeFolder("\(folder)/drive_c/ProgramData")
        tree.makeFolder("\(folder)/drive_c/windows")
        tree.put("WINE REGISTRY Version 2", at: "\(folder)/user.reg")
        return home
    }
}
