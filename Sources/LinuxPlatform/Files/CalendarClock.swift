import CLinux

/// The machine's calendar clock.
public enum CalendarClock {
    /// True if something external sets the clock, such as NTP; nil if the kernel does not say.
    public static var isKept: Bool? {
        let answer = huddle_clock_is_kept()
        return answer < 0 ? nil : answer == 1
    }
}
