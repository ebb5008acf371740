/**
 * Reports on plans from any source. Each bank of a plan in several memories is an arena of its own,
 * and the violations are added up.
 */
package dev.stowage.cli.check;
