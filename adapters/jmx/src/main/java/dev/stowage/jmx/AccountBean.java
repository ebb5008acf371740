package dev.stowage.jmx;

import dev.stowage.allocator.MemoryAccount;
import dev.stowage.process.CgroupMemory;
import dev.stowage.process.MemoryByOwner;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The management bean of an account. */
final class AccountBean implements AccountMXBean {

  private final MemoryAccount account;

  AccountBean(MemoryAccount account) {
    this.account = account;
  }

  @Override
  public String getName() {
    return account.path();
  }

  @Override
  public List<MemoryAccount.Level> getLevels() {
    return account.levels();
  }

  @Override
  public long getChargedBytes() {
    MemoryAccount.Level level = account.level();
    return level.usedBytes() - level.unusedBytes();
  }

  @Override
  public long getResidentBytes() {
    return MemoryByOwner.ownResidentBytes().orElse(0);
  }

  @Override
  public long getUnchargedBytes() {
    return getResidentBytes() - getChargedBytes();
  }

  @Override
  public long getControlGroupLimitBytes() {
    return CgroupMemory.own()
        .map(group -> group.limitBytes().orElse(Long.MAX_VALUE))
        .orElse(Long.MAX_VALUE);
  }

  @Override
  public String report() {
    long limit = getControlGroupLimitBytes();
    return account.levels().stream()
            .map(MemoryAccount.Level::toString)
            .collect(Collectors.joining("\n"))
        + String.format(
            Locale.ROOT,
            "%nThe process has %,d resident bytes, of which %,d are charged; the limit of its control group is %s.",
            getResidentBytes(),
            getChargedBytes(),
            limit == Long.MAX_VALUE ? "none" : String.format(Locale.ROOT, "%,d", limit));
  }
}
