import CLinux
import Glibc

/// Memory that this process has and does not need now.
public enum FreedMemory {
    private static let heaps: CInt = 2
    /// A block of this size or more is taken from the kernel where no heap has room, and is the kernel's again as soon as it is freed.
    private static let ownRoom: CInt = 4 << 20
    /// As much may lie free at the end of a heap while there is work, so that it isn't given back and taken again all the time.
    private static let freeEnd: CInt = 8 << 20
    /// Where a block of this size is freed, the C library looks whether the heap ends in more than it may.
    private static let looked = 64 << 10

    /// Has all threads take memory from two heaps, where the C library would give each its own. What a thread frees is there for the others then, and far less lies in
    /// between what is still needed, where nobody can give it back. From one heap they would wait for each other. Before there are threads.
    public static func shareHeaps() {
        // It is advice: where it is not taken, all stays as it is.
        _ = mallopt(M_ARENA_MAX, heaps)
        // By itself the C library would raise both with each large block that is freed.
        _ = mallopt(M_MMAP_THRESHOLD, ownRoom)
        _ = mallopt(M_TRIM_THRESHOLD, freeEnd)
    }

    /// Gives back what was freed and what the C library keeps of it for what comes next, and lets go of the program's own pages and its libraries',
    /// of which most were needed only for what is over: the kernel has them, and gives them up first now where memory is short. After work that
    /// has taken much and is done; it costs a millisecond or two, and what is needed again comes back without the disk.
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

    /// Gives back the free end of the heap that this thread takes from: `malloc_trim` gives back what lies free within all heaps, but the end only of the first one.
    /// By each thread that had much to do. From then on as much may lie free at the end of any heap as ``shareHeaps()`` says.
    public static func giveBackEnd() {
        _ = mallopt(M_TRIM_THRESHOLD, 0)
        let room = malloc(looked)
        // Somebody else is shown it, or the compiler would take neither.
        _ = malloc_usable_size(room)
        free(room)
        _ = mallopt(M_TRIM_THRESHOLD, freeEnd)
    }

    /// Only of what nobody can have written to: it is as it is in the file.
    private static func letGo(of object: dl_phdr_info) {
        let page = UInt(getpagesize())
        let headers = UnsafeBufferPointer(start: object.dlpi_phdr, count: Int(object.dlpi_phnum))
        guard !headers.contains(where: { $0.p_type == PT_DYNAMIC && wasRelocated(inPlace: $0, object) }) else { return }
        for header in headers where header.p_type == PT_LOAD && header.p_flags & UInt32(PF_W) == 0 {
            let start = UInt(object.dlpi_addr &+ header.p_vaddr) & ~(page - 1)
            let end = UInt(object.dlpi_addr &+ header.p_vaddr &+ header.p_memsz)
            // It is advice: where it is not taken, all stays as it is.
            madvise(UnsafeMutableRawPointer(bitPattern: start), Int(end - start), MADV_DONTNEED)
        }
    }

    /// Whether the loader has written into the object's code, as it does for an old one that was not built to lie anywhere.
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
