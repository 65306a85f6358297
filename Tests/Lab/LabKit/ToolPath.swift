import Glibc
import LinuxPlatform
import Vocabulary

/// Where the `lab` program is, of which some parts run as processes of their own.
public enum ToolPath {
    /// Beside the running program, as the build puts it; or where `HUDDLE_LAB_TOOL` says.
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
