/// The files of Bottles in a home.
public enum BottlesTree {
    /// Its folder in the Flatpak.
    public static let flatpakRoot = ".var/app/com.usebottles.bottles/data/bottles"

    /// Makes a bottle with programs in its list, and returns the folder of its user.
    @discardableResult
    public static func make(
        _ name: String,
        programs: [(name: String, path: String)] = [],
        in tree: GameTree,
        at root: String = ".local/share/bottles"
    ) -> String {
        let folder = "\(root)/bottles/\(name)"
        var text = "Arch: win64\nCustom_Path: false\nEnvironment: Gaming\n"
        text += programs.isEmpty ? "External_Programs: {}\n" : "External_Programs:\n"
        for (number, program) in programs.enumerated() {
            let path = tree.path("\(folder)/drive_c/\(program.path)")
            text += """
                  4f1c-\(number):
                    executable: \(path.split(separator: "/").last ?? "")
                    folder: \(path.split(separator: "/").dropLast().map { "/\($0)" }.joined())
                    name: \(program.name)
                    path: \(path)

                """
            tree.put(at: path)
        }
        text += "Name: \(name)\nParameters:\n  dxvk: true\n"
        tree.put(text, at: "\(folder)/bottle.yml")
        return WineTree.make(in: tree, at: folder, user: "steamuser")
    }
}
