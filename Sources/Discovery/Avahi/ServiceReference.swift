import CDNSSD
import LinuxPlatform

/// One `DNSServiceRef`: a thread, a socket pair and a D-Bus connection inside Avahi's library.
///
/// `@unchecked Sendable` because every member is used on the loop's thread only, which `cancel` and `call` check.
final class ServiceReference: DirectoryOperation, @unchecked Sendable {
    private let loop: EventLoop
    private var reference: DNSServiceRef?
    private var watch: DescriptorWatch?
    private let mailbox: AnyObject
    private let whenDead: @Sendable (DirectoryFailure) -> Void
    private var isProcessing = false

    /// - Parameters:
    ///   - mailbox: context of the library's callback; it lives as long as the reference
    ///   - open: the call that makes the reference
    ///   - whenDead: called once if the library reports a failure of the reference
    init<CallbackContext: AnyObject>(
        on loop: EventLoop,
        mailbox: CallbackContext,
        whenDead: @escaping @Sendable (DirectoryFailure) -> Void,
        open: (_ reference: inout DNSServiceRef?, _ context: UnsafeMutableRawPointer) -> DNSServiceErrorType
    ) throws(DirectoryFailure) {
        loop.checkIsolated()
        self.loop = loop
        self.mailbox = mailbox
        self.whenDead = whenDead
        let failure = open(&reference, Unmanaged.passUnretained(mailbox).toOpaque())
        guard failure == kDNSServiceErr_NoError, let reference else {
            throw DirectoryFailure(failure)
        }
        do throws(SystemError) {
            watch = try loop.watch(DNSServiceRefSockFD(reference), for: .readable) { @Sendable [weak self] _ in
                self?.process()
            }
        } catch {
            deallocate()
            throw DirectoryFailure(DNSServiceErrorType(kDNSServiceErr_NoMemory))
        }
    }

    deinit {
        precondition(reference == nil, "a reference was dropped without being cancelled")
    }

    /// Calls the library with the reference; nil if the reference is deallocated.
    func call(_ body: (DNSServiceRef) -> DNSServiceErrorType) -> DNSServiceErrorType? {
        loop.checkIsolated()
        return reference.map(body)
    }

    func cancel() {
        loop.checkIsolated()
        // The descriptor leaves the loop before the library closes it, and the library must not be inside a callback.
        watch?.cancel()
        watch = nil
        if !isProcessing { deallocate() }
    }

    private func process() {
        guard let reference else { return }
        // A callback may drop the last other owner.
        withExtendedLifetime(self) {
            isProcessing = true
            let failure = huddle_process_result(reference)
            isProcessing = false
            let wasCancelled = watch == nil
            if wasCancelled || failure != kDNSServiceErr_NoError {
                cancel()
            }
            if !wasCancelled && failure != kDNSServiceErr_NoError {
                whenDead(DirectoryFailure(failure))
            }
        }
    }

    private func deallocate() {
        guard let reference else { return }
        self.reference = nil
        DNSServiceRefDeallocate(reference)
    }
}

extension DirectoryFailure {
    /// A failure as `dns_sd.h` reports it.
    init(_ number: DNSServiceErrorType) {
        self.init(number: number, isNameConflict: number == DNSServiceErrorType(kDNSServiceErr_NameConflict))
    }
}
