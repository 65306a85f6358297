import CLinux
import Glibc

/// Memory that this process has and does not need now.
public enum FreedMemory {
    private static let heaps: CInt = 2
    /// A block of at least this size comes from the kernel if no heap has room, and returns to it as soon as it is
    /// freed.
    private static let ownRoom: CInt = 4 << 20
    /// The free bytes that may stay at the end of a heap while there is work, so that they aren't given back and taken
    /// again all the time.
    private static let freeEnd: CInt = 8 << 20
    /// When a block of this size is freed, the C library checks if the heap's free end exceeds its limit.
    private static let looked = 64 << 10

    /// Makes all threads use two heaps, instead of the C library's one for each thread. Then a thread can reuse memory
    /// that another one freed, and far less of it stays trapped between blocks in use. With one heap the threads would
    /// wait for each other. Call this before there are threads.
    public static func shareHeaps() {
        // It is advice: if the C library refuses it, nothing changes.
        _ = mallopt(M_ARENA_MAX, heaps)
        // By default the C library would raise both with each large block that is freed.
        _ = mallopt(M_MMAP_THRESHOLD, ownRoom)
        _ = mallopt(M_TRIM_THRESHOLD, freeEnd)
    }

    /// Gives back freed memory that the C library keeps for later, and releases the pages of the program and its
    /// libraries, most of which are no longer needed. The kernel keeps them, and takes them first if memory is short.
    /// Call it after work that took much memory: it costs a millisecond or two, and pages that are needed again come
    /// back without the disk.
    public static func giveBack() {
        // In a simulation many machines are one process, which ends soon.
        guard VirtualTime.current == nil else { return }
        giveBackEnd()
        _ = malloc_trim(0)
        _ = dl_iterate_phdr(
            { @Sendable object, _, _ in
                if let object { FreedMemory.letGo(of: object.pointee) }
                return 0
            },
            nil
        )
    }

    /// Gives back the free end of the heap that this thread uses: `malloc_trim` gives back free memory within all
    /// heaps, but the end only of the first one. Call it on each thread that had much to do. It sets the limit of
    /// ``shareHeaps()`` for the free end of every heap again.
    public static func giveBackEnd() {
        _ = mallopt(M_TRIM_THRESHOLD, 0)
        let room = malloc(looked)
        // The block is passed to a function, as the compiler would otherwise remove both calls.
        _ = malloc_usable_size(room)
        free(room)
        _ = mallopt(M_TRIM_THRESHOLD, freeEnd)
    }

    /// Releases only pages that no code can have written to: they are the same in the file.
    private static func letGo(of object: dl_phdr_info) {
        let page = UInt(getpagesize())
        let headers = UnsafeBufferPointer(start: object.dlpi_phdr, count: Int(object.dlpi_phnum))
        guard !headers.contains(where: { $0.p_type == PT_DYNAMIC && wasRelocated(inPlace: $0, object) }) else { return }
        for header in headers where header.p_type == PT_LOAD && header.p_flags & UInt32(PF_W) == 0 {
            let start = UInt(object.dlpi_addr &+ header.p_vaddr) & ~(page - 1)
            let end = UInt(object.dlpi_addr &+ header.p_vaddr &+ header.p_memsz)
            // It is advice: if the kernel refuses it, nothing changes.
            madvise(UnsafeMutableRawPointer(bitPattern: start), Int(end - start), MADV_DONTNEED)
        }
    }

    /// True if the loader has written into the object's code, as it does for an old one that was not built to load at
    /// any address.
    private static func wasRelocated(inPlace dynamic: Elf64_Phdr, _ object: dl_phdr_info) -> Bool {
        let start = UnsafePointer<Elf64_Dyn>(bitPattern: UInt(object.dlpi_addr &+ dynamic.p_vaddr))
        guard var entry = start else { return false }
        while entry.pointee.d_tag != DT_NULL {
            let value = entry.pointee.d_un.d_val
            if entry.pointee.d_tag == DT_TEXTREL || (entry.pointee.d_tag == DT_FLAGS && value & UInt64(DF_TEXTREL) != 0)
            {
                return true
            }
            entry += 1
        }
        return false
    }
}
