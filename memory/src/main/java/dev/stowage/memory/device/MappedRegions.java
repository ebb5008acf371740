package dev.stowage.memory.device;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/** Regions of pages that the operating system maps: on Linux and macOS. */
final class MappedRegions implements RegionSource {

  /*
   *   address             address + bytes              address + reservedBytes
   *   | readable, writable |  reserved: touching it kills the JVM  |
   *
   * Reserving is mapping without any right, which costs no memory. Committing gives the right to
   * read and write, after which the system gives a page of zeros when it is first touched.
   *
   * Reservations are made without MAP_NORESERVE: pages without a right are not accounted anyway, and
   * without the flag the system can refuse a commit that is obviously too large, where it would kill
   * the process later.
   *
   * Addresses are reserved for growth that can happen: up to what the caller says, and up to the
   * machine's memory. A region takes an eighth of the addresses that are left at most, so that there
   * are some for the regions after it, however many these are. Under a limit of the process's
   * addresses, half of them are left for all else: without addresses the JVM cannot start a thread.
   */

  private static final int PROT_NONE = 0;
  private static final int PROT_READ_WRITE = 3;
  private static final int MAP_PRIVATE = 2;
  private static final int MADV_HUGEPAGE = 14;

  /** All reservations together at most: an eighth of the 47 bits of address that a process has. */
  private static final long MOST_RESERVED_BYTES = 1L << 44;

  /** Which part of the addresses that are left a region reserves for its growth at most. */
  private static final int LEFT_PER_RESERVED = 8;

  private static final Path HUGE_PAGE_BYTES =
      Path.of("/sys/kernel/mm/transparent_hugepage/hpage_pmd_size");

  /** A region that could grow to less, and is wanted to grow to more, had better double. */
  private static final long LEAST_GROWTH_BYTES = 64 << 20;

  private final Posix system;
  private final HostMemoryOptions options;
  private final AddressSpace addresses;
  private final long usableBytes;

  /** All reservations together. */
  private final long mostReservedBytes;

  private final long pageBytes;
  private final long granularityBytes;
  private long reservedBytes;

  MappedRegions(Posix system, HostMemoryOptions options) {
    this(system, options, AddressSpace.ofProcess(), MachineMemory.usableBytes());
  }

  /**
   * @param usableBytes how much memory, and swap, regions can have at all
   */
  MappedRegions(Posix system, HostMemoryOptions options, AddressSpace addresses, long usableBytes) {
    this.system = system;
    this.options = options;
    this.addresses = addresses;
    this.usableBytes = usableBytes;
    this.mostReservedBytes = Math.min(MOST_RESERVED_BYTES, addresses.leftBytes() / 2);
    this.pageBytes = Libc.pageBytes();
    this.granularityBytes =
        options.isHugePages() && system == Posix.LINUX ? hugePageBytes() : pageBytes;
  }

  /** What differs between the systems that map pages. */
  enum Posix {
    LINUX(0x20, 4),
    /** Here MADV_DONTNEED keeps the pages, and MADV_FREE gives them up when others need them. */
    MACOS(0x1000, 5);

    private final int mapAnonymous;
    private final int adviceToGiveBack;

    Posix(int mapAnonymous, int adviceToGiveBack) {
      this.mapAnonymous = mapAnonymous;
      this.adviceToGiveBack = adviceToGiveBack;
    }
  }

  private long hugePageBytes() {
    long usual = 2 << 20;
    try {
      return Math.max(pageBytes, Long.parseLong(Files.readString(HUGE_PAGE_BYTES).strip()));
    } catch (IOException | NumberFormatException unknown) {
      return usual;
    }
  }

  @Override
  public long granularityBytes() {
    return granularityBytes;
  }

  @Override
  public boolean lengthens(long mostBytes) {
    long wanted = wantedBytes(mostBytes);
    return wanted > 0 && growthBytes(mostBytes) >= Math.min(wanted, LEAST_GROWTH_BYTES);
  }

  private long wantedBytes(long mostBytes) {
    return Math.min(Math.min(mostBytes, options.reservedBytes()), usableBytes);
  }

  @Override
  public Optional<HostRegion> allocate(long bytes, long mostBytes) {
    if (bytes > Long.MAX_VALUE - 2 * granularityBytes) {
      return Optional.empty();
    }
    long committed = ceiling(bytes);
    long reserved = Math.max(committed, growthBytes(mostBytes));
    Optional<HostRegion> region = reserve(bytes, reserved);
    if (region.isEmpty() && reserved > committed) {
      region = reserve(bytes, committed); // where addresses are limited too
    }
    return region.filter(this::commitOrUnmap);
  }

  /** {@return the bytes of addresses to reserve for a region that may grow so large} */
  private long growthBytes(long mostBytes) {
    long wanted = wantedBytes(mostBytes);
    if (wanted <= 0) {
      return 0;
    }
    long left = Math.min(mostReservedBytes - reservedBytes, addresses.leftBytes() / 2);
    return Math.min(ceiling(wanted), Math.max(0, left) / LEFT_PER_RESERVED & -granularityBytes);
  }

  private Optional<HostRegion> reserve(long bytes, long reserved) {
    long slack = granularityBytes - pageBytes;
    Libc.Answer mapped = Libc.mmap(reserved + slack, PROT_NONE, MAP_PRIVATE | system.mapAnonymous);
    if (mapped.isOutOfMemory()) {
      return Optional.empty();
    }
    if (mapped.isFailure()) {
      throw mapped.exception(String.format(Locale.ROOT, "mmap of %d bytes", reserved + slack));
    }
    long base = mapped.value();
    long address = ceiling(base);
    unmap(base, address - base);
    unmap(address + reserved, slack - (address - base));
    reservedBytes += reserved;
    if (granularityBytes > pageBytes) {
      Libc.madvise(address, reserved, MADV_HUGEPAGE); // a wish: a system without them says no
    }
    return Optional.of(new HostRegion(address, bytes, address, reserved));
  }

  private boolean commitOrUnmap(HostRegion region) {
    boolean committed = false;
    try {
      committed = protect(region.address(), ceiling(region.bytes()), PROT_READ_WRITE);
    } finally {
      if (!committed) {
        free(region);
      }
    }
    return committed;
  }

  @Override
  public Optional<HostRegion> resize(HostRegion region, long newBytes) {
    if (newBytes > region.reservedBytes()) {
      return Optional.empty();
    }
    long end = region.address() + ceiling(region.bytes());
    long newEnd = region.address() + ceiling(newBytes);
    boolean moved =
        newEnd >= end
            ? protect(end, newEnd - end, PROT_READ_WRITE)
            : protect(newEnd, end - newEnd, PROT_NONE);
    if (moved && newEnd < end) {
      // Advice: locked pages, for one, stay where they are until the region is freed.
      Libc.madvise(newEnd, end - newEnd, system.adviceToGiveBack);
    }
    return moved ? Optional.of(region.withBytes(newBytes)) : Optional.empty();
  }

  @Override
  public void free(HostRegion region) {
    unmap(region.base(), region.reservedBytes());
    reservedBytes -= region.reservedBytes();
  }

  /** Sets the rights on pages and {@return whether the system had the memory for that} */
  private static boolean protect(long address, long bytes, int protection) {
    if (bytes == 0) {
      return true;
    }
    Libc.Answer answer = Libc.mprotect(address, bytes, protection);
    if (answer.isFailure() && !answer.isOutOfMemory()) {
      throw answer.exception(
          String.format(Locale.ROOT, "mprotect of %d bytes at 0x%x", bytes, address));
    }
    return !answer.isFailure();
  }

  private static void unmap(long address, long bytes) {
    if (bytes > 0) {
      Libc.Answer answer = Libc.munmap(address, bytes);
      if (answer.isFailure()) {
        throw answer.exception(
            String.format(Locale.ROOT, "munmap of %d bytes at 0x%x", bytes, address));
      }
    }
  }

  private long ceiling(long bytes) {
    return (bytes + granularityBytes - 1) & -granularityBytes;
  }
}
