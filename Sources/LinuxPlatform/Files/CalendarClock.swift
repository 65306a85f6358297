import CLinux

/// The machine's clock.
public enum CalendarClock {
    /// Whether something keeps it right from outside, as NTP does; nil where the kernel does not say.
    public static var isKept: Bool? {
        let answer = huddle_clock_is_kept()
        return answer < 0 ? nil : answer == 1
    }
}
