/** Reports on plans from any source, in one arena or in several banks. */
package dev.stowage.cli.check;
