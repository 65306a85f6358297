import Glibc
import LinuxPlatform
import Testing
import TestSupport

/// Each in a process of its own: otherwise another test could get a number at the moment of closing.
@Suite("OwnedDescriptor", .timeLimit(.minutes(5)))
struct OwnedDescriptorTests {
    @Test("A released descriptor is closed exactly once")
    func closesOnce() async {
        await #expect(processExitsWith: .success) {
            let number = consume(OwnedDescriptor(takingOwnershipOf: openNull()))
            precondition(!OwnProcess.isOpen(number))
            // The next owner of the number keeps it: it is not closed a second time.
            let next = openNull()
            precondition(next == number && OwnProcess.isOpen(next))
        }
    }

    @Test("Explicit closing reports errors, and the descriptor is not closed again")
    func closesByName() async {
        await #expect(processExitsWith: .success) {
            let number: CInt
            do {
                let owned = OwnedDescriptor(takingOwnershipOf: openNull())
                number = owned.number
                try owned.close()
            }
            precondition(!OwnProcess.isOpen(number))
        }
    }

    @Test("A detached descriptor stays open")
    func releases() async {
        await #expect(processExitsWith: .success) {
            let number = OwnedDescriptor(takingOwnershipOf: openNull()).release()
            precondition(OwnProcess.isOpen(number))
        }
    }

    @Test("A duplicate is independent and is not inherited")
    func duplicates() async {
        await #expect(processExitsWith: .success) {
            let first = OwnedDescriptor(takingOwnershipOf: openNull())
            let second = try first.duplicate()
            let (a, b) = (first.number, second.number)
            try first.close()
            precondition(!OwnProcess.isOpen(a) && OwnProcess.isOpen(b))
            precondition(fcntl(b, F_GETFD) & FD_CLOEXEC != 0)
        }
    }

    @Test("Closing a descriptor that other code closed is reported")
    func closedBehindItsBack() async {
        await #expect(processExitsWith: .success) {
            let owned = OwnedDescriptor(takingOwnershipOf: openNull())
            close(owned.number)
            let failure = failureOfClosing(owned)
            precondition(failure == SystemError("close", EBADF))
        }
    }
}

/// A descriptor with a number that the kernel gives to no other, as it gives the lowest free one.
private func openNull() -> CInt {
    let low = open("/dev/null", O_RDONLY | O_CLOEXEC)
    defer { close(low) }
    return fcntl(low, F_DUPFD_CLOEXEC, 500)
}

private func consume(_ descriptor: consuming OwnedDescriptor) -> CInt { descriptor.number }

private func failureOfClosing(_ descriptor: consuming OwnedDescriptor) -> SystemError? {
    do throws(SystemError) {
        try descriptor.close()
        return nil
    } catch {
        return error
    }
}
