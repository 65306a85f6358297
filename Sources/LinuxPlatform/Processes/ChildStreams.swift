import CLinux
import Glibc

/// The three standard descriptors of a program about to start: its ends, and this program's ends of pipes.
public struct ChildStreams: ~Copyable {
    private let reading: Reading
    private let writing: Writing
    private let complaining: Writing

    /// Opens the streams that `launch` asks for.
    public init(for launch: ProgramLaunch, on loop: EventLoop = .shared) throws(SystemError) {
        let reading = try Reading(launch.standardInput, loop)
        let writing = try Writing(launch.standardOutput, inherited: STDOUT_FILENO, loop)
        let complaining = try Writing(launch.standardError, inherited: STDERR_FILENO, loop)
        self.reading = reading
        self.writing = writing
        self.complaining = complaining
    }

    /// This end of the program's standard input, if it is a pipe.
    public var input: ChildInput? { reading.ours }

    /// This end of its standard output, if it is a pipe.
    public var output: ChildOutput? { writing.ours }

    /// This end of its standard error, if it is a pipe.
    public var error: ChildOutput? { complaining.ours }

    /// The descriptors to copy to the program's 0, 1 and 2; all above 2, so that no copy overwrites another.
    public var numbers: [CInt] {
        [reading.theirs.number, writing.theirs.number, complaining.theirs.number]
    }
}

private struct Reading: ~Copyable {
    let theirs: OwnedDescriptor
    let ours: ChildInput?

    init(_ stream: ProgramLaunch.Stream, _ loop: EventLoop) throws(SystemError) {
        guard stream == .pipe else {
            let theirs = try single(stream, inherited: STDIN_FILENO, O_RDONLY)
            self.theirs = theirs
            ours = nil
            return
        }
        let pipe = try Pipe()
        let theirs = try raised(pipe.output.number)
        self.theirs = theirs
        ours = ChildInput(pipe.takeInput(), on: loop)
    }
}

private struct Writing: ~Copyable {
    let theirs: OwnedDescriptor
    let ours: ChildOutput?

    init(_ stream: ProgramLaunch.Stream, inherited: CInt, _ loop: EventLoop) throws(SystemError) {
        guard stream == .pipe else {
            let theirs = try single(stream, inherited: inherited, O_WRONLY)
            self.theirs = theirs
            ours = nil
            return
        }
        let pipe = try Pipe()
        let theirs = try raised(pipe.input.number)
        self.theirs = theirs
        ours = ChildOutput(pipe.takeOutput(), on: loop)
    }
}

private struct Pipe: ~Copyable {
    /// The end for writing.
    let input: OwnedDescriptor
    /// The end for reading.
    let output: OwnedDescriptor

    init() throws(SystemError) {
        var ends: [CInt] = [-1, -1]
        try retrying("pipe2") { huddle_pipe(&ends) }
        output = OwnedDescriptor(takingOwnershipOf: ends[0])
        input = OwnedDescriptor(takingOwnershipOf: ends[1])
    }

    consuming func takeInput() -> OwnedDescriptor {
        dontBlock(input.number)
        return input
    }

    consuming func takeOutput() -> OwnedDescriptor {
        dontBlock(output.number)
        return output
    }
}

private func single(
    _ stream: ProgramLaunch.Stream,
    inherited: CInt,
    _ mode: CInt
) throws(SystemError) -> OwnedDescriptor {
    switch stream {
    case .descriptor(let number): return try raised(number)
    case .inherited where fcntl(inherited, F_GETFD) >= 0: return try raised(inherited)
    case .inherited, .null, .pipe:
        // A closed descriptor can't be inherited; the program gets `/dev/null` in its place.
        let null = OwnedDescriptor(
            takingOwnershipOf: try retrying("open", on: "/dev/null") { open("/dev/null", mode | O_CLOEXEC) }
        )
        return try raised(null.number)
    }
}

private func raised(_ number: CInt) throws(SystemError) -> OwnedDescriptor {
    OwnedDescriptor(takingOwnershipOf: try retrying("dup") { fcntl(number, F_DUPFD_CLOEXEC, 3) })
}

/// Makes one end non-blocking. The two ends of a pipe are two open files, so the program's own end stays blocking.
private func dontBlock(_ number: CInt) {
    // It can't fail for an open pipe.
    _ = fcntl(number, F_SETFL, O_NONBLOCK)
}
