import Glibc
import LinuxPlatform
import Vocabulary

/// The path of the `lab` program, some parts of which run as processes of their own.
public enum ToolPath {
    /// The path beside the running program, or that of `HUDDLE_LAB_TOOL`.
    public static func find() throws -> String {
        if let path = ProgramLaunch.ownEnvironment["HUDDLE_LAB_TOOL"] { return path }
        guard let own = realpath("/proc/self/exe", nil) else { throw SystemError("realpath", on: "/proc/self/exe") }
        defer { free(own) }
        let folder = String(cString: own).split(separator: "/").dropLast().map { "/\($0)" }.joined()
        let path = "\(folder)/lab"
        guard access(path, X_OK) == 0 else {
            throw LabError(
                "lab.tool",
                "the program “lab” is not beside this one, in \(folder)",
                nextStep: "build it with “swift build --product lab”, or say with HUDDLE_LAB_TOOL where it is"
            )
        }
        return path
    }
}
