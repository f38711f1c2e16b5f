/**
 * Version of everything between raw data and records: the door, identities, ownership. Raise it with any change to what
 * they make of the same item; a store made with another version is rebuilt from its raw data when it is opened.
 */
export const RULES_VERSION = '4';
