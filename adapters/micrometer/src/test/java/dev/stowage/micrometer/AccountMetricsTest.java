package dev.stowage.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.allocator.MemoryAccount;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Meters of accounts. */
class AccountMetricsTest {

  private final MockClock clock = new MockClock();
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry(SimpleConfig.DEFAULT, clock);
  private final MemoryAccount service = MemoryAccount.root("service", 1000);

  private double value(String name, String... tags) {
    clock.add(Duration.ofSeconds(1));
    return registry.get("stowage." + name).tags(tags).gauge().value();
  }

  @Test
  void gauges_ofAnAccount_haveUseAndHoldersByLevelAndTag() {
    MemoryAccount search = service.child("search", 200, 1000);
    try (AccountMetrics metrics = AccountMetrics.of(service)) {
      metrics.bindTo(registry);
      search.charge(300, "index");
      service.charge(100, "embed");
      assertThat(service.tryCharge(601, "embed")).isEmpty();
      assertThat(value("account.used", "account", "service")).isEqualTo(400);
      assertThat(value("account.used", "account", "service/search")).isEqualTo(300);
      assertThat(value("account.reserved", "account", "service/search")).isEqualTo(200);
      assertThat(value("account.burst", "account", "service/search")).isEqualTo(100);
      assertThat(value("account.limit", "account", "service")).isEqualTo(1000);
      assertThat(value("account.waiting", "account", "service")).isZero();
      assertThat(value("account.held", "account", "service", "tag", "index")).isEqualTo(300);
      assertThat(value("account.held", "account", "service/search", "tag", "index")).isEqualTo(300);
      assertThat(
              registry
                  .get("stowage.account.refused")
                  .tag("account", "service")
                  .functionCounter()
                  .count())
          .isEqualTo(1);
    }
    assertThat(registry.getMeters()).isEmpty();
  }

  @Test
  void gauges_ofTheProcess_areBesideTheChargedBytes() {
    try (AccountMetrics metrics = AccountMetrics.of(service)) {
      metrics.bindTo(registry);
      service.charge(100, "embed");
      assertThat(value("process.resident")).isGreaterThan(1 << 20);
      assertThat(value("process.limit")).isPositive();
      assertThat(value("process.uncharged")).isPositive();
    }
  }

  @Test
  void gauges_manyAccountsAndTags_areBounded() {
    try (AccountMetrics metrics = AccountMetrics.of(service)) {
      metrics.bindTo(registry);
      for (int i = 0; i < 100; i++) {
        service.child("c" + i, 0, 10).charge(1, "tag" + i);
      }
      assertThat(value("account.used", "account", "service")).isEqualTo(100);
      assertThat(registry.find("stowage.account.used").gauges()).hasSize(50);
      assertThat(registry.find("stowage.account.held").tag("account", "service").gauges())
          .hasSize(20);
    }
  }

  @Test
  void gauges_closedAccount_areZero() {
    MemoryAccount search = service.child("search", 200, 1000);
    try (AccountMetrics metrics = AccountMetrics.of(service)) {
      metrics.bindTo(registry);
      search.close();
      assertThat(value("account.reserved", "account", "service/search")).isZero();
    }
  }
}
