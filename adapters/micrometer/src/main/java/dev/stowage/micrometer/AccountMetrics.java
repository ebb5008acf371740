package dev.stowage.micrometer;

import dev.stowage.allocator.AllocatorReport.Holder;
import dev.stowage.allocator.MemoryAccount;
import dev.stowage.process.CgroupMemory;
import dev.stowage.process.MemoryByOwner;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.BaseUnits;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import java.util.function.ToDoubleFunction;

/**
 * The metrics of a {@link MemoryAccount} and of all accounts below it, with names that start with
 * {@code stowage.account}, and the resident memory of the process beside them.
 *
 * <pre>{@code
 * AccountMetrics metrics = AccountMetrics.of(service);
 * metrics.bindTo(registry);
 * }</pre>
 *
 * <p>Every meter has the tag {@code account}, a path. {@code stowage.account.held} also has the tag
 * {@code tag}: the tag of the charges. The first 50 accounts, and the first 20 tags of each, get
 * meters; an account that is closed has zeros. New accounts and tags get meters when the metrics
 * are read, at most once per second.
 */
public final class AccountMetrics implements MeterBinder, AutoCloseable {

  private static final int MAX_ACCOUNTS = 50;
  private static final int MAX_TAGS = 20;
  private static final long MAX_AGE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final MemoryAccount account;
  private final List<Bound> bound = new ArrayList<>();

  private AccountMetrics(MemoryAccount account) {
    this.account = account;
  }

  /**
   * {@return the metrics of an account and of the accounts below it}
   *
   * @param account the account
   */
  public static AccountMetrics of(MemoryAccount account) {
    return new AccountMetrics(account);
  }

  /**
   * Adds the meters to a registry. The registry refers to the account until {@link #close()}.
   *
   * @param registry the registry
   */
  @Override
  public synchronized void bindTo(MeterRegistry registry) {
    bound.add(new Bound(account, new BoundMeters(registry, Tags.empty())));
  }

  /** Removes the meters from all registries. */
  @Override
  public synchronized void close() {
    bound.forEach(each -> each.meters.removeAll());
    bound.clear();
  }

  /** The meters in one registry, which share a reading of the accounts. */
  private static final class Bound {

    private final MemoryAccount account;
    private final BoundMeters meters;
    private final Clock clock;

    /** The accounts at the last reading, by path. */
    private final Map<String, MemoryAccount.Level> levels = new HashMap<>();

    /** The tags that have meters, by the path of their account. */
    private final Map<String, Set<String>> tags = new HashMap<>();

    private long readNanos;

    Bound(MemoryAccount account, BoundMeters meters) {
      this.account = account;
      this.meters = meters;
      this.clock = meters.clock();
      read();
      readNanos -= MAX_AGE_NANOS; // the first scrape has a reading of its own
      process(
          "resident",
          "Resident bytes of the process",
          () -> MemoryByOwner.ownResidentBytes().orElse(0));
      process(
          "limit",
          "Limit of the control group; infinite without one",
          () ->
              CgroupMemory.own()
                  .map(CgroupMemory::limitBytes)
                  .filter(limit -> limit.isPresent())
                  .map(limit -> (double) limit.getAsLong())
                  .orElse(Double.POSITIVE_INFINITY));
      process(
          "uncharged",
          "Resident bytes of the process that are charged to no account; negative if more is charged",
          () -> MemoryByOwner.ownResidentBytes().orElse(0) - chargedBytes());
    }

    private void process(String name, String description, DoubleSupplier value) {
      meters.add(
          Gauge.builder("stowage.process." + name, value, DoubleSupplier::getAsDouble)
              .baseUnit(BaseUnits.BYTES)
              .tag("account", account.path())
              .description(description));
    }

    private double chargedBytes() {
      return account.level().holders().stream().mapToLong(Holder::bytes).sum();
    }

    private synchronized void read() {
      Map<String, MemoryAccount.Level> read = new HashMap<>();
      List<MemoryAccount.Level> all = account.levels();
      all.forEach(level -> read.put(level.path(), level));
      levels.clear();
      levels.putAll(read);
      readNanos = clock.monotonicTime();
      for (MemoryAccount.Level level : all) {
        if (!tags.containsKey(level.path()) && tags.size() < MAX_ACCOUNTS) {
          tags.put(level.path(), new HashSet<>());
          bind(level.path());
        }
        Set<String> known = tags.getOrDefault(level.path(), Set.of());
        if (tags.containsKey(level.path())) {
          level.holders().stream()
              .map(Holder::tag)
              .filter(tag -> !known.contains(tag))
              .limit(MAX_TAGS - known.size())
              .toList()
              .forEach(tag -> bind(level.path(), tag));
        }
      }
    }

    private synchronized double value(String path, ToDoubleFunction<MemoryAccount.Level> value) {
      if (clock.monotonicTime() - readNanos >= MAX_AGE_NANOS) {
        read();
      }
      return Optional.ofNullable(levels.get(path)).map(value::applyAsDouble).orElse(0.0);
    }

    private void bind(String path) {
      bytes(
          path,
          "used",
          "Bytes that are charged, with the reservations of children",
          MemoryAccount.Level::usedBytes);
      bytes(
          path,
          "reserved",
          "Bytes that are kept for the account",
          MemoryAccount.Level::reservedBytes);
      bytes(path, "burst", "Bytes in use beyond the reservation", MemoryAccount.Level::burstBytes);
      bytes(
          path, "peak", "Most bytes that were charged at any time", MemoryAccount.Level::peakBytes);
      bytes(
          path,
          "limit",
          "Most bytes that may be charged; infinite without a limit",
          level ->
              level.limitBytes() == Long.MAX_VALUE ? Double.POSITIVE_INFINITY : level.limitBytes());
      meters.add(
          Gauge.builder(
                  "stowage.account.waiting",
                  this,
                  one -> one.value(path, MemoryAccount.Level::waiting))
              .tag("account", path)
              .description("Charges that wait for bytes of the account"));
      meters.add(
          FunctionCounter.builder(
                  "stowage.account.refused",
                  this,
                  one -> one.value(path, MemoryAccount.Level::refused))
              .tag("account", path)
              .description("Charges that the account refused"));
    }

    private void bytes(
        String path, String name, String description, ToDoubleFunction<MemoryAccount.Level> value) {
      meters.add(
          Gauge.builder("stowage.account." + name, this, one -> one.value(path, value))
              .baseUnit(BaseUnits.BYTES)
              .tag("account", path)
              .description(description));
    }

    private void bind(String path, String tag) {
      tags.computeIfAbsent(path, _ -> new HashSet<>()).add(tag);
      meters.add(
          Gauge.builder(
                  "stowage.account.held", this, one -> one.value(path, level -> held(level, tag)))
              .baseUnit(BaseUnits.BYTES)
              .tag("account", path)
              .tag("tag", tag)
              .description("Bytes that are charged with a tag, also to accounts below"));
    }

    private static long held(MemoryAccount.Level level, String tag) {
      return level.holders().stream()
          .filter(holder -> holder.tag().equals(tag))
          .mapToLong(Holder::bytes)
          .sum();
    }
  }
}
