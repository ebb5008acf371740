package dev.stowage.examples.nativememory;

import dev.stowage.allocator.MemoryAccount;
import dev.stowage.allocator.MemoryAccount.Charge;
import dev.stowage.allocator.MemoryRefusedException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.arrow.memory.AllocationListener;
import org.apache.arrow.memory.AllocationOutcome;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.memory.RootAllocator;

/**
 * A server with two kinds of queries on buffers of Arrow. Cancelled scans leak the messages that
 * nothing has read, until 2 GiB are in use.
 */
public final class ArrowServer {

  private static final long POOL_BYTES = 2L << 30;
  private static final int MESSAGE_BYTES = 1 << 20;
  private static final int UNREAD_MESSAGES = 157;

  private ArrowServer() {}

  /** Buffers of one allocator of Arrow, which are charged to an account. */
  static final class ChargedBuffers implements AllocationListener, AutoCloseable {

    private final Charge charge;

    ChargedBuffers(MemoryAccount account, String holder) {
      this.charge = account.charge(0, holder);
    }

    @Override
    public synchronized void onPreAllocation(long bytes) {
      charge.resize(charge.bytes() + bytes);
    }

    @Override
    public synchronized boolean onFailedAllocation(long bytes, AllocationOutcome outcome) {
      onRelease(bytes);
      return false;
    }

    @Override
    public synchronized void onRelease(long bytes) {
      charge.resize(charge.bytes() - bytes);
    }

    @Override
    public void close() {
      charge.close();
    }
  }

  /**
   * Prints the refusals of Arrow and of a budget, and the other queries after them.
   *
   * @param args none
   */
  public static void main(String[] args) {
    System.out.println(withArrowAlone());
    System.out.println();
    System.out.println(withBudgets());
  }

  /** {@return the text of a server with one pool of Arrow} */
  static String withArrowAlone() {
    Leak leak = new Leak();
    try (RootAllocator root = new RootAllocator(POOL_BYTES);
        BufferAllocator scans = root.newChildAllocator("scans", 0, Long.MAX_VALUE);
        BufferAllocator lookups = root.newChildAllocator("lookups", 0, Long.MAX_VALUE);
        leak) {
      int cancelled = leak.cancelUntilRefused(scans);
      return text("Arrow alone", cancelled, refusal(scans), lookup(lookups));
    }
  }

  /** {@return the text of a server with a budget for each kind of query} */
  static String withBudgets() {
    Leak leak = new Leak();
    try (MemoryAccount server = MemoryAccount.root("server", POOL_BYTES + (256 << 20));
        MemoryAccount flight = server.child("flight", 0, POOL_BYTES);
        MemoryAccount search = server.child("search", 256 << 20, 512 << 20);
        ChargedBuffers scanned = new ChargedBuffers(flight, "unread messages of scans");
        ChargedBuffers lookedUp = new ChargedBuffers(search, "lookups");
        RootAllocator root = new RootAllocator();
        BufferAllocator scans = root.newChildAllocator("scans", scanned, 0, Long.MAX_VALUE);
        BufferAllocator lookups = root.newChildAllocator("lookups", lookedUp, 0, Long.MAX_VALUE);
        leak) {
      int cancelled = leak.cancelUntilRefused(scans);
      return text("With budgets", cancelled, refusal(scans), lookup(lookups));
    }
  }

  private static String text(String server, int cancelled, String refusal, String lookup) {
    return String.format(
        Locale.ROOT,
        "%s: %d scans were cancelled.%n%s%nA lookup: %s",
        server,
        cancelled,
        refusal,
        lookup);
  }

  private static String refusal(BufferAllocator scans) {
    try (ArrowBuf _ = scans.buffer(16)) {
      return "served";
    } catch (OutOfMemoryException | MemoryRefusedException refused) {
      return String.valueOf(refused.getMessage());
    }
  }

  private static String lookup(BufferAllocator lookups) {
    try (ArrowBuf _ = lookups.buffer(MESSAGE_BYTES)) {
      return "served";
    } catch (OutOfMemoryException | MemoryRefusedException refused) {
      return "refused";
    }
  }

  /** The messages of cancelled scans. */
  private static final class Leak implements AutoCloseable {

    private final List<ArrowBuf> messages = new ArrayList<>();

    int cancelUntilRefused(BufferAllocator scans) {
      int cancelled = 0;
      while (cancel(scans)) {
        cancelled++;
      }
      return cancelled;
    }

    private boolean cancel(BufferAllocator scans) {
      try {
        for (int message = 0; message < UNREAD_MESSAGES; message++) {
          messages.add(scans.buffer(MESSAGE_BYTES));
        }
        return true;
      } catch (OutOfMemoryException | MemoryRefusedException refused) {
        return false;
      }
    }

    @Override
    public void close() {
      messages.forEach(ArrowBuf::close);
    }
  }
}
